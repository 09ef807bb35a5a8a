"""The peers. Each runs in a process of its own and measures itself there: see `protocol`.

The programs here may be run by a Python that has nothing but the peer installed: they import no other
part of this project.
"""
