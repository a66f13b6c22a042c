/* A program of the first contest as far as its connection goes: what comes in on standard input is
 * emitted, what the platform says goes to standard output, a JSON line each. */
const io = require("socket.io-client");

const [address, token] = process.argv.slice(2);
const socket = io(`${address}/pku`, {
  transports: ["websocket"],
  query: { token },
  reconnectionDelay: 200,
  reconnectionDelayMax: 500,
});
const tell = (name, data) => process.stdout.write(`${JSON.stringify([name, data ?? null])}\n`);

for (const name of ["connect", "disconnect", "reconnect"]) {
  socket.on(name, (why) => tell(name, typeof why === "string" ? why : null));
}
const usual = socket.onevent;
socket.onevent = function said(packet) {
  tell(packet.data[0], packet.data[1]);
  usual.call(this, packet);
};
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [name, data] = JSON.parse(line);
  socket.emit(name, data);
}).on("close", () => process.exit(0));
