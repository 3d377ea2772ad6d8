"""Make ``python -m radixlint`` the same as the ``radixlint`` command."""

from radixlint.cli.main import main

if __name__ == "__main__":
    main()
