// Given to the server's Node with --import and --expose-gc: on SIGUSR2 it collects garbage, to compare the
// heap over time.
process.on('SIGUSR2', () => globalThis.gc?.());
