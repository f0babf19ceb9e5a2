"""Runs OpenStack Swift with its S3 interface in one process, for tests: account, container, object and proxy server on free
ports of the loopback address, one copy of each object.

Arguments: an empty folder, the access key (account:user), the secret key. Prints the port of the S3 interface."""

import gzip
import logging
import os
import pickle
import sys

import eventlet

from swift.common import utils

utils.eventlet_monkey_patch()

from eventlet import tpool, wsgi  # noqa: E402
from swift.account import server as account_server  # noqa: E402
from swift.common import ring  # noqa: E402
from swift.common.http_protocol import SwiftHttpProtocol  # noqa: E402
from swift.common.wsgi import loadapp  # noqa: E402
from swift.container import server as container_server  # noqa: E402
from swift.obj import server as object_server  # noqa: E402

folder, access_key, secret_key = sys.argv[1:4]
account, user = access_key.split(":")
# Names of files on disk are hashes with this suffix, which Swift otherwise reads from /etc/swift.
utils.HASH_PATH_SUFFIX = b"tests"
os.makedirs(os.path.join(folder, "disk", "tmp"))

listeners = {
    name: eventlet.listen(("127.0.0.1", 0)) for name in ("account", "container", "object", "proxy")
}


def port(name):
    return listeners[name].getsockname()[1]


for name in ("account", "container", "object"):
    device = {
        "id": 0, "region": 1, "zone": 1, "device": "disk", "ip": "127.0.0.1", "port": port(name),
        "replication_ip": "127.0.0.1", "replication_port": port(name), "weight": 1.0, "meta": "",
    }
    with gzip.GzipFile(os.path.join(folder, f"{name}.ring.gz"), "wb") as file:
        pickle.dump(ring.RingData([[0] * 4], [device], 30), file)

pipeline = "catch_errors gatekeeper bulk s3api tempauth slo proxy-server"
sections = {
    "DEFAULT": {"swift_dir": folder},
    "pipeline:main": {"pipeline": pipeline},
    "app:proxy-server": {
        "use": "egg:swift#proxy", "account_autocreate": "true", "allow_account_management": "true",
    },
    "filter:s3api": {"use": "egg:swift#s3api", "s3_acl": "false", "ratelimit_as_client_error": "false"},
    "filter:tempauth": {
        "use": "egg:swift#tempauth", f"user_{account}_{user}": f"{secret_key} .admin .reseller_admin",
    },
    **{f"filter:{name}": {"use": f"egg:swift#{name}"} for name in ("catch_errors", "gatekeeper", "bulk", "slo")},
}
configuration = os.path.join(folder, "proxy-server.conf")
with open(configuration, "w") as file:
    for section, values in sections.items():
        file.write(f"[{section}]\n" + "".join(f"{key} = {value}\n" for key, value in values.items()))

backend = {"devices": folder, "swift_dir": folder, "mount_check": "false"}
silent = logging.getLogger("silent")
silent.addHandler(logging.NullHandler())
silent.propagate = False


class Cache:
    """Adds the cache to requests that the authentication requires; it is always empty."""

    def __init__(self, app):
        self.app = app

    def get(self, *_, **__):
        return None

    def set(self, *_, **__):
        pass

    incr = delete = set

    def __call__(self, env, start_response):
        env["swift.cache"] = self
        return self.app(env, start_response)


apps = {
    "account": account_server.AccountController(backend, logger=utils.get_logger({}, log_route="account")),
    "container": container_server.ContainerController(backend, logger=utils.get_logger({}, log_route="container")),
    "object": object_server.ObjectController(backend, logger=utils.get_logger({}, log_route="object")),
    "proxy": Cache(loadapp(configuration, global_conf={"log_name": "proxy"})),
}
for name, app in apps.items():
    eventlet.spawn(wsgi.server, listeners[name], app, silent, protocol=SwiftHttpProtocol, log_output=False)

print(port("proxy"), flush=True)
# The end of the standard input is the end of the test.
while tpool.execute(sys.stdin.readline):
    pass
os._exit(0)
