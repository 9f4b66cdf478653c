"""`python -m earmark` is the same as `earmark`."""

from earmark.cli.main import main

if __name__ == "__main__":
    main()
