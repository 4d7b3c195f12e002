"""Downloaded archives, compared with the manifest in them."""

import hashlib
import io
import json
import zipfile


def whole(body):
    """An archive's files, each compared with the manifest in it."""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        assert archive.testzip() is None
        files = {name: archive.read(name) for name in archive.namelist()}
    listed = json.loads(files["manifest.json"])["files"]
    assert set(listed) == set(files) - {"manifest.json"}
    for name, said in listed.items():
        digest = hashlib.sha256(files[name]).hexdigest()
        assert (said["bytes"], said["sha256"]) == (len(files[name]), digest)
    return files, listed


def address(study, what):
    return f"/research/studies/{study.slug}/export/{what}/"
