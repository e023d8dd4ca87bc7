/**
 * Begins when the portal has opened this page: the request is in the address's fragment, which browsers do not send to servers. The answer goes
 * to that portal alone, so it must be the one that this page was opened from.
 */
(() => {
  const mark = '#messaging-gateway-passkey=';
  if (!location.hash.startsWith(mark)) return;
  const text = location.hash.slice(mark.length);
  // WhatsApp's page must not find it, and a reload must not ask again.
  history.replaceState(null, '', location.pathname);
  const begin = () => {
    try {
      const request = JSON.parse(decodeURIComponent(text));
      const portal = new URL(request.portal);
      if (document.referrer === '' || new URL(document.referrer).origin !== portal.origin) return;
      messagingGatewayPasskey({ ...request, portal: `${portal.origin}/passkey` });
    } catch {
      // Not a request of a portal.
    }
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin, { once: true });
  else begin();
})();
