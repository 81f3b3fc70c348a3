// Plays a game to its end with the types that openapi-typescript has made of the description, by what is proposed.
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const [site, token] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl: site, headers: { Authorization: `Bearer ${token}` } });

function told<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

async function main(): Promise<void> {
  const body = { rules: "cave-of-wonders", seat_count: 2, bots: ["random"], pace: "daily" as const };
  const path = { ref: told(await api.POST("/api/v1/games/", { body })).ref };
  told(await api.POST("/api/v1/games/{ref}/start/", { params: { path } }));
  for (;;) {
    const waiting = told(await api.GET("/api/v1/games/", { params: { query: { status: "running" } } }));
    if (!waiting.items.length) break;
    await new Promise((wake) => setTimeout(wake, 250)); // the bot plays
    for (const question of told(await api.GET("/api/v1/games/{ref}/decisions/", { params: { path } })).items) {
      if (!question.is_waiting || !question.proposal) continue;
      const where = { path: { ...path, code: question.code } };
      const answer = { proposal: question.proposal.mark };
      told(await api.POST("/api/v1/games/{ref}/decisions/{code}/", { params: where, body: answer }));
    }
  }
  const over = told(await api.GET("/api/v1/games/{ref}/", { params: { path } }));
  console.log(over.outcome?.ending);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
