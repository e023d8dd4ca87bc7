/**
 * Begins when the portal has opened this page: the request is in the address's fragment, which browsers do not send to servers. It serves one portal,
 * whose address the server writes here when somebody downloads the extension from it, and only when that portal has opened this page itself.
 */
(() => {
  const own = null;
  const mark = '#messaging-gateway-passkey=';
  if (!location.hash.startsWith(mark)) return;
  let request;
  try {
    request = JSON.parse(decodeURIComponent(location.hash.slice(mark.length)));
    if (request.portal !== own || new URL(document.referrer).origin !== own) return;
  } catch {
    // Not a request of a portal.
    return;
  }
  // WhatsApp's page must not find it, and a reload must not ask again.
  history.replaceState(null, '', location.pathname);
  const begin = () => messagingGatewayPasskey({ ...request, portal: `${own}/passkey` });
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin, { once: true });
  else begin();
})();
