"""The workbench: what runs, judges and shows the experiments; the library knows nothing of it."""
