"""Cache rules of engines and providers, one YAML file each."""
