import type { FastifyInstance } from "fastify";
import { mediaPath } from "./stories.links.ts";
import type { Pictures } from "./stories.ts";

const file = /^([0-9a-f]{32})(\.thumb)?\.webp$/;

/** Never rendered as anything but an image; a name never gets other bytes. */
const headers = {
  "content-type": "image/webp",
  "content-security-policy": "default-src 'none'; sandbox",
  "cache-control": "public, max-age=31536000, immutable",
};

export function mediaRoutes(app: FastifyInstance, pictures: Pictures): void {
  app.get<{ Params: { file: string } }>(
    `${mediaPath}:file`,
    { exposeHeadRoute: true },
    async (request, reply) => {
      const [, name, thumb] = file.exec(request.params.file) ?? [];
      if (name === undefined) return reply.callNotFound();
      const bytes = await pictures.find(name, thumb === undefined ? "whole" : "thumb");
      if (!bytes) return reply.callNotFound();
      const etag = `"${name}${thumb ?? ""}"`;
      reply.headers(headers).header("etag", etag);
      const known = request.headers["if-none-match"]
        ?.split(",")
        .some((tag) => tag.trim().replace(/^W\//, "") === etag);
      return known === true ? reply.code(304).send() : reply.send(bytes);
    },
  );
}
