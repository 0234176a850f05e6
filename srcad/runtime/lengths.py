"""What text raises that takes lengths to agree."""


class LengthsDiffer(Exception):
    """Lengths of arguments that the text takes to agree do not: another text is for them."""
