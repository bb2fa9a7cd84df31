"""The worker and the broker that sends it ticks."""

import contextlib
from pathlib import Path

import pytest
import redis
from kombu.entity import Exchange, Queue
from kombu.messaging import Consumer

from casino import celery
from casino.embedded.home import find_home
from casino.embedded.redis_server import RedisServer
from tests.support.patience import PATIENCE_SECONDS


def test_a_worker_outlives_a_redis_that_goes_while_a_tick_is_under_way(
    open_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    own = RedisServer(find_home(open_folder / "own", say=lambda text: None), durable=False)
    own.prepare()
    running = own.spawn()
    own.wait_until_ready(running)
    connection = celery.app.connection_for_read(url=celery.broker_url(own.url))
    queue = connection.SimpleQueue("ticks", channel=connection.default_channel)
    to_all_workers = Queue("all-workers", Exchange("control", type="fanout"), auto_delete=True)
    try:
        Consumer(connection.channel(), [to_all_workers], callbacks=[print]).consume()
        queue.put("a tick")
        queue.get(timeout=PATIENCE_SECONDS)
        with redis.Redis.from_url(own.url) as client:
            assert not client.keys("*unacked*")
        # The worker waits for the next one.
        with contextlib.suppress(TimeoutError):
            connection.drain_events(timeout=0.01)
    finally:
        running.kill()
        running.wait()

    # What Celery does with a connection that broke, before it makes a new one.
    with contextlib.suppress(redis.RedisError):
        connection.collect(socket_timeout=1)
    connection.close()

    assert not connection.connected
    # That a tick could not be put back, and lies in a file now.
    assert caplog.messages == []
