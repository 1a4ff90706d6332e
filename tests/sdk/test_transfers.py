"""Files that the SDK of OSS sends and fetches in parts, several at once."""

import oss2
import pytest

from storage import SIGNED, Storage

MEBI = 1 << 20


@pytest.mark.parametrize("signed", SIGNED)
def test_a_file_goes_both_ways(simulator, tmp_path, signed):
    content = b"".join(bytes([number]) * MEBI for number in range(5)) + b"the rest"
    there, back = tmp_path / "there", tmp_path / "back"
    there.write_bytes(content)
    bucket = Storage(simulator, signed).bucket().inner
    bucket.create_bucket()
    parts = {"part_size": MEBI, "num_threads": 3}
    store = oss2.ResumableStore(root=tmp_path)
    oss2.resumable_upload(bucket, "big", str(there), store=store, multipart_threshold=MEBI, **parts)
    store = oss2.ResumableDownloadStore(root=tmp_path)
    oss2.resumable_download(bucket, "big", str(back), store=store, multiget_threshold=MEBI, **parts)
    assert back.read_bytes() == content
    assert bucket.list_multipart_uploads().upload_list == []
