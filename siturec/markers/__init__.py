"""Set-of-mark: alphabets per role, regions of a mask, painting. numpy and OpenCV in, dataclasses out."""
