# The server for a PostgreSQL of yours, with every command: `docker run IMAGE serve`, `docker run IMAGE admin list-people`, ...
# Built once, run by an ordinary user, without compilers, tests or the embedded database.
FROM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/build.ts && node scripts/server-packages.ts server-packages

FROM node:24.21.0-slim
ENV NODE_ENV=production APP_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/server-packages ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/build/server ./build/server
COPY package.json LICENSE ./
COPY bin ./bin
RUN ln -s /app/bin/staff-dashboard /usr/local/bin/staff-dashboard && mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The executable replaces itself with node, so the server is the first process and gets every signal.
ENTRYPOINT ["staff-dashboard"]
CMD ["serve"]
