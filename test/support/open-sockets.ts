/** How many connections this process has, those of a gateway in it and those of the test. */
export function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}
