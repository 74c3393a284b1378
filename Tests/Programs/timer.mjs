#!/usr/bin/env node
// Waits on a timer, then gets a URL.
//
//   timer.mjs SECONDS URL
//
// Prints how long the wait took by the monotonic clock and by the wall clock, in whole seconds, and the
// body of the answer.

if (process.argv.length !== 4) {
  console.error("usage: timer.mjs SECONDS URL");
  process.exit(2);
}

const [seconds, url] = [Number(process.argv[2]), process.argv[3]];
const monotonic = performance.now();
const wall = Date.now();
await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
const elapsed = Math.round((performance.now() - monotonic) / 1000);
console.log(`waited ${elapsed} s, the wall clock says ${Math.round((Date.now() - wall) / 1000)} s`);

const response = await fetch(url);
console.log((await response.text()).replace(/\n$/, ""));
