# The service alone; PostgreSQL is another container, see compose.yaml.
FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN python -m venv /opt/footfall \
  && /opt/footfall/bin/pip install --no-cache-dir --require-hashes -r requirements.lock \
  && /opt/footfall/bin/pip install --no-cache-dir --no-build-isolation --no-deps .

FROM python:3.13-slim
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/footfall footfall
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
