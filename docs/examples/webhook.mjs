// A receiver of webhooks that needs no package: SECRET=whsec_... PORT=8080 node webhook.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const key = Buffer.from(process.env.SECRET.replace("whsec_", ""), "base64");

function isOurs(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signatures = "" } = headers;
  if (!(Math.abs(Date.now() / 1000 - at) < 300)) return false; // old, or no time at all
  const expected = createHmac("sha256", key).update(`${id}.${at}.`).update(body).digest();
  return signatures.split(" ").some((signature) => {
    const [version, text = ""] = signature.split(",");
    const given = Buffer.from(text, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isOurs(request.headers, body)) return response.writeHead(400).end();
  const message = JSON.parse(body);
  console.log(message.type, message.data.title ?? "");
  response.writeHead(204).end();
});
server.listen(process.env.PORT ?? 8080, () => console.log("Listening on port", server.address().port));
