// The floor of the server: the least that stores a message and answers. node:http, one table, and the requests of a moment in one
// transaction. `DATA_DIR` and `PORT` as for the server.
import { createServer } from 'node:http';
import { DatabaseSync } from '@photostructure/sqlite';

const { DATA_DIR, PORT } = process.env;
const db = new DatabaseSync(`${DATA_DIR}/floor.db`);
db.exec(
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE messages (id INTEGER PRIMARY KEY, payload TEXT)',
);
const insert = db.prepare('INSERT INTO messages (payload) VALUES (?)');

let waiting = [];

function store() {
  const all = waiting;
  waiting = [];
  db.exec('BEGIN');
  const ids = all.map(({ payload }) => insert.run(JSON.stringify(payload)).lastInsertRowid);
  db.exec('COMMIT');
  for (const [n, { payload, response }] of all.entries()) {
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ message: { id: ids[n], payload } }));
  }
}

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  if (waiting.push({ payload: JSON.parse(body).payload, response }) === 1) setImmediate(store);
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`ready http://127.0.0.1:${PORT}`));
