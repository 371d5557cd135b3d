# The image of a release, from the folder that `npm run release` makes:
#   docker build --file Dockerfile --build-arg VERSION=0.1.0 release
FROM debian:bookworm-slim
ARG VERSION
ARG TARGETARCH
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git libatomic1 libstdc++6 openssh-client \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 65532 --create-home hostwright
ADD hostwright_${VERSION}_linux_${TARGETARCH}.tar.gz /opt/hostwright/
RUN ln -s /opt/hostwright/hostwright /usr/local/bin/hostwright
# By number: what refuses root reads no names.
USER 65532:65532
WORKDIR /repository
# A mounted repository belongs to a user of the host. The person who mounts it here trusts it; one that is mounted
# elsewhere needs `--env HOSTWRIGHT_TRUSTED_ROOT=FOLDER`.
ENV HOSTWRIGHT_TRUSTED_ROOT=/repository
ENTRYPOINT ["hostwright"]
