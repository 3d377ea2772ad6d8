"""A detector is a parameterised test that rules are made of."""
