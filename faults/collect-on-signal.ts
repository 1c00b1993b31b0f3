// Given to the server's Node with --import and --expose-gc: on SIGUSR2 it collects, so that the heap can be compared over time.
process.on('SIGUSR2', () => globalThis.gc?.());
