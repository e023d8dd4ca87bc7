import type { FastifyHelmetOptions } from '@fastify/helmet';

/** Directives of a content security policy by their names in camel case. */
type Directives = Readonly<Record<string, string[]>>;

/** The security headers of a page: everything comes from this server, no script stands in it, nobody frames it. `own`: what this page needs besides. */
export function pageHeaders(own: Directives): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // What draws the pages puts sizes and colours into style attributes and elements.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        ...own,
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    // Where browsers come by plain http it would mean nothing; whoever knows that they do not sets it.
    strictTransportSecurity: false,
  };
}
