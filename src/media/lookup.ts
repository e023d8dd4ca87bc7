import { Resolver, lookup as systemLookup } from 'node:dns/promises';

/**
 * Finds every address of a host name. `public` names come from customers, `allowed` ones from the operator's allow-list.
 * An empty answer and a rejection both mean that the name does not resolve.
 */
export type Lookup = (hostname: string, trust: 'public' | 'allowed') => Promise<readonly string[]>;

/**
 * The lookup of the running machine. Customers' names go to the DNS servers only: neither /etc/hosts nor search domains may give them a meaning of
 * their own, and slow name servers must not occupy the thread pool, which the operating system's own lookup would do. The operator's names use the latter.
 * `servers` replaces the machine's DNS servers.
 */
export function createLookup(servers?: readonly string[]): Lookup {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname, trust) => {
    if (trust === 'allowed') {
      const answers = await systemLookup(hostname, { all: true });
      return answers.map((answer) => answer.address);
    }
    // A name often has only one of the two record types, so one of them may fail.
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return [...(ipv4.status === 'fulfilled' ? ipv4.value : []), ...(ipv6.status === 'fulfilled' ? ipv6.value : [])];
  };
}
