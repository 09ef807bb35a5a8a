"""wasmtime and Linux memory: compile cache, instances, image mapping, dirty pages, interruption.

Knows no language and no file system. The only package that may import wasmtime.
"""
