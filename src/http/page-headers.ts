import type { FastifyHelmetOptions } from '@fastify/helmet';

/** Directives of a content security policy by their names in camel case. */
type Directives = Readonly<Record<string, string[]>>;

/** The security headers of a page: everything comes from this server, no inline scripts, no framing. `own`: further directives of this page. */
export function pageHeaders(own: Directives): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // The component library sets sizes and colours in style attributes and elements.
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
    // It means nothing over plain HTTP. A proxy that ends TLS can set it.
    strictTransportSecurity: false,
  };
}
