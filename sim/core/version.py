"""The product's version, in a module of its own so that signatures and packaging read one place."""

__version__ = "0.1.0"
