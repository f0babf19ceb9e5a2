# The image of the server (docs/guides/self-hosting.md, Containers). Build it in the folder of the repository:
#   docker build -t platform-webchat .
FROM node:24-bookworm-slim AS build
WORKDIR /srv/webchat
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
WORKDIR /srv/webchat
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=build --chown=root:root /srv/webchat/package.json ./
COPY --from=build /srv/webchat/node_modules ./node_modules
COPY --from=build /srv/webchat/dist ./dist
RUN mkdir -m 700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# In the form of a list, so that node gets SIGTERM itself and drains.
CMD ["node", "dist/node/src/server/main.js"]
