# One image for every process of a room; docker-compose.yml says which process a container runs.
# By version and digest, as in docker-compose.yml.
FROM python:3.12.14-slim-trixie@sha256:f77ac9e44ae96ef2c90b8053ea08c31f8be030f824196b0ae4db6d462c84e51f

# Python's output goes straight to the container's log, and no byte code is written at run time.
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /brush

# Before the code, so that a change of the code does not install everything anew.
COPY requirements.txt .
RUN python -m pip install --require-hashes --only-binary :all: --requirement requirements.txt

COPY . .
RUN useradd --system --no-create-home --shell /usr/sbin/nologin brush \
    && mkdir -p /brush/var/static \
    && mkdir -m 700 /brush/sealer /brush/seals \
    && python -m compileall -q casino tables jackpot tournaments \
    && chown -R brush /brush/var /brush/sealer /brush/seals
USER brush

EXPOSE 8000
CMD ["python", "-m", "uvicorn", "casino.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--timeout-graceful-shutdown", "2", "--ws-per-message-deflate", "false", "--ws", "casino.live.protocol:ScreenProtocol", "--http", "casino.heads:BoundedHeads", "--ws-max-size", "65536", "--no-access-log", "--no-server-header"]
