# messaging-gateway in one image: own Node 24, ffmpeg, production dependencies only, not root, works with a read-only root file system.
#   docker build -t messaging-gateway .
# docs/installing.md says how to run it, and which of these steps were run where no container engine is.

# Pinned by tag: Node 24 on Debian 12, with what both mend. Give a digest here for builds that repeat exactly.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
# npm ci looks for the packages of the workspace; of those only the manifests are here.
COPY packages/client/package.json packages/client/
COPY packages/client-php/package.json packages/client-php/
COPY packages/client-python/package.json packages/client-python/
COPY packages/n8n-nodes-messaging-gateway/package.json packages/n8n-nodes-messaging-gateway/
COPY packages/whatsapp-server/package.json packages/whatsapp-server/
RUN npm ci
COPY . .
# Assistants read the documents (docs/mcp.md), without the pictures.
RUN npm run build && find dist -name '*.map' -delete && find docs -type f ! -name '*.md' -delete

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Not `npm ci --omit=dev`: that keeps what a library names as an optional peer and the tests bring (vitest, react). The versions are the lock file's.
RUN npm pkg delete devDependencies workspaces && npm install

FROM ${NODE_IMAGE} AS gateway
RUN apt-get update \
    && apt-get install -y --no-install-recommends ffmpeg \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json LICENSE README.md CHANGELOG.md ./
COPY deploy/docker/health-check.js ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /src/dist ./dist
COPY --from=build /src/docs ./docs
# The folder belongs to the user before the volume is made, so that a new volume does too. `docker exec … gateway key create …` works.
RUN install -d -o 1000 -g 1000 -m 700 /data \
    && chmod 755 dist/main.js \
    && ln -s /app/dist/main.js /usr/local/bin/gateway
ENV NODE_ENV=production MALLOC_ARENA_MAX=1 HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# The user `node` of the base image, as a number, so that Kubernetes can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/app/health-check.js"]
# No shell between: Node is the first process and gets SIGTERM itself.
ENTRYPOINT ["node", "--max-semi-space-size=8", "/app/dist/main.js"]
CMD ["serve"]
