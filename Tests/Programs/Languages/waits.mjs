// The Node probe: makes the waits that it is asked for, one after the other, and tells how long each took.
//
//   node waits.mjs NAME=MILLISECONDS...
//
// One line for each, as the C probe writes them; a wait that ended otherwise is told as `NAME failed`.

import { execFile, execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import {
  scheduler, setInterval as ticks, setTimeout as timeout,
} from "node:timers/promises";
import { Worker } from "node:worker_threads";

// What never says anything, and does not keep the process alive.
async function quietServer() {
  const server = net.createServer(() => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  return server.address().port;
}

// A worker that does what the code says and then tells how it went.
async function inWorker(code) {
  const worker = new Worker(code, { eval: true });
  const [answer] = await once(worker, "message");
  await worker.terminate();
  return answer;
}

const waits = {
  setTimeout: (length) => new Promise((done) => setTimeout(done, length, true)),

  // Four ticks of a quarter each.
  setInterval: (length) => new Promise((done) => {
    let count = 0;
    const timer = setInterval(() => {
      count += 1;
      if (count < 4) return;
      clearInterval(timer);
      done(true);
    }, length / 4);
  }),

  "timers/promises.setTimeout": (length) => timeout(length, true),

  "timers/promises.setInterval": async (length) => {
    let count = 0;
    for await (const value of ticks(length / 2, true)) {
      count += 1;
      if (count === 2) return value;
    }
  },

  "scheduler.wait": (length) => scheduler.wait(length).then(() => true),

  // A timer that is set anew after a quarter of the time does not fire at its first instant.
  "Timeout.refresh": (length) => new Promise((done) => {
    const timer = setTimeout(done, length * 3 / 4, true);
    setTimeout(() => timer.refresh(), length / 4);
  }),

  "AbortSignal.timeout": async (length) => {
    const signal = AbortSignal.timeout(length);
    // The signal's own timer does not keep the process alive.
    const alive = setInterval(() => {}, 1 << 30);
    await once(signal, "abort");
    clearInterval(alive);
    return signal.reason.name === "TimeoutError";
  },

  "Atomics.wait": (length) =>
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, length) === "timed-out",

  "Worker-Atomics.wait": (length) => inWorker(`
    const words = new Int32Array(new SharedArrayBuffer(4));
    const answer = Atomics.wait(words, 0, 0, ${length}) === "timed-out";
    require("node:worker_threads").parentPort.postMessage(answer);`),

  "Worker-setTimeout": (length) => inWorker(`
    const port = require("node:worker_threads").parentPort;
    setTimeout(() => port.postMessage(true), ${length});`),

  "http.request-timeout": async (length) => {
    const request = http.get({ port: await quietServer(), host: "127.0.0.1", timeout: length });
    await once(request, "timeout");
    request.on("error", () => {});
    request.destroy();
    return true;
  },

  "net.Socket.setTimeout": async (length) => {
    const socket = net.connect(await quietServer(), "127.0.0.1");
    await once(socket, "connect");
    socket.setTimeout(length);
    await once(socket, "timeout");
    socket.destroy();
    return true;
  },

  "fetch-AbortSignal.timeout": async (length) => {
    const url = `http://127.0.0.1:${await quietServer()}/`;
    const error = await fetch(url, { signal: AbortSignal.timeout(length) }).catch((error) => error);
    return error.name === "TimeoutError";
  },

  "child_process.execFile-timeout": (length) => new Promise((done) => {
    execFile("sleep", ["1000"], { timeout: length }, (error) => done(error.killed));
  }),

  "child_process.spawnSync-timeout": (length) =>
    spawnSync("sleep", ["1000"], { timeout: length }).error?.code === "ETIMEDOUT",

  "child_process.execFileSync": (length) => {
    execFileSync("sleep", [String(length / 1000)]);
    return true;
  },
};

function milliseconds(nanoseconds) {
  const [whole, rest] = [nanoseconds / 1_000_000n, nanoseconds % 1_000_000n];
  return rest === 0n ? `${whole}` : `${whole}.${String(rest).padStart(6, "0")}`;
}

for (const word of process.argv.slice(2)) {
  const [name, length] = word.split("=");
  if (!waits[name]) {
    console.error(`waits: there is no wait "${word}"`);
    process.exit(2);
  }
  // The wall clock has no reading finer than this in Node.
  const [start, wallStart] = [process.hrtime.bigint(), Date.now()];
  const hasRunOut = await waits[name](Number(length));
  const [elapsed, wall] = [process.hrtime.bigint() - start, Date.now() - wallStart];
  const isSame = Math.abs(Number(elapsed / 1_000_000n) - wall) <= 1;
  console.log(
    hasRunOut
      ? `${name} elapsed_ms=${milliseconds(elapsed)}${isSame ? "" : ` wall_ms=${wall}`}`
      : `${name} failed`);
}
process.exit(0);
