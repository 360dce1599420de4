# The service with its own PostgreSQL, the data of both in /var/lib/footfall:
#
#   docker build --tag footfall .
#   docker run --publish 8000:8000 --volume footfall:/var/lib/footfall footfall
#
# The 64 MB of /dev/shm that a container has suffice. Behind a proxy, or with another PostgreSQL: compose.yaml.
# Tried without Docker: the same steps on Debian 13 with Python 3.13, the service as process 1 with 64 MB of /dev/shm.
FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN python -m venv /opt/footfall \
  && /opt/footfall/bin/pip install --no-cache-dir --require-hashes -r requirements.lock \
  && /opt/footfall/bin/pip install --no-cache-dir --no-build-isolation --no-deps .

FROM python:3.13-slim
RUN useradd --uid 10001 --create-home --home-dir /var/lib/footfall footfall
COPY --from=build /opt/footfall /opt/footfall
ENV PATH=/opt/footfall/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    FOOTFALL_DATA_DIR=/var/lib/footfall \
    FOOTFALL_HOST=0.0.0.0 \
    FOOTFALL_LOG_FORMAT=json
USER 10001
VOLUME /var/lib/footfall
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f\"http://127.0.0.1:{os.environ.get('FOOTFALL_PORT', '8000')}/readyz\", timeout=2)"]
ENTRYPOINT ["footfall"]
CMD ["serve"]
