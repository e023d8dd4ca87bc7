/**
 * Runs on https://web.whatsapp.com, the only page on which a browser gives out a passkey of WhatsApp: asks the person for it and hands the answer
 * to the gateway's portal. The portal's snippet for the console is this same text.
 *
 * `request`: {options, token, portal}; `options` are the WebAuthn request options that WhatsApp sent for the number, `portal` is the address of the
 * page that the answer goes back to, or null when the person is to copy it. `token` goes back along with the answer.
 */
// biome-ignore lint/correctness/noUnusedVariables: start.js and the console call it
function messagingGatewayPasskey({ options, token, portal }) {
  const element = (tag, text, style) => Object.assign(document.createElement(tag), { textContent: text, style: `${base}${style}` });
  const base = 'all:revert;box-sizing:border-box;font:16px/1.5 system-ui,sans-serif;color:#10231c;';
  const box = element(
    'div',
    '',
    'position:fixed;inset:0;z-index:2147483647;display:grid;place-items:center;padding:16px;background:#0b141acc;',
  );
  const card = element('div', '', 'max-width:480px;width:100%;padding:24px;border-radius:16px;background:#fff;');
  const words = element('p', '', 'margin:0 0 16px;');
  const button = element(
    'button',
    'Use the passkey',
    'padding:10px 20px;border:0;border-radius:24px;background:#087f5b;color:#fff;cursor:pointer;',
  );
  const cancel = element('button', 'Cancel', 'padding:10px 20px;border:0;background:none;cursor:pointer;');
  const title = element('h1', 'Link a number to your gateway', 'margin:0 0 12px;font-size:20px;font-weight:600;');
  box.setAttribute('role', 'dialog');
  box.setAttribute('aria-label', title.textContent);
  words.setAttribute('role', 'status');
  card.append(title, words, button, cancel);
  box.append(card);
  cancel.onclick = () => box.remove();

  const refused = () => {
    if (options?.rpId !== undefined && !['whatsapp.com', 'web.whatsapp.com'].includes(options.rpId))
      return `It is for ${options.rpId}, not for WhatsApp.`;
    if (typeof options?.challenge !== 'string') return 'It holds no request.';
    if (typeof PublicKeyCredential?.parseRequestOptionsFromJSON !== 'function') return 'This browser is too old for it; use a current one.';
    return null;
  };
  const problem = refused();
  words.textContent =
    problem ??
    `${portal === null ? 'The gateway' : new URL(portal).origin} asks for the passkey of your WhatsApp account, to link a device to it. Go on only if you have just started this yourself.`;
  if (problem !== null) button.remove();

  button.onclick = async () => {
    button.disabled = true;
    words.textContent = 'Follow what your browser asks. A passkey on your phone can be used, too.';
    try {
      // WebAuthn wants a click of the person, which this is.
      const found = await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
      const credential = found.toJSON();
      if (portal === null) show(JSON.stringify(credential));
      else location.assign(`${portal}#${encodeURIComponent(JSON.stringify({ token, credential }))}`);
    } catch (error) {
      words.textContent = `The passkey was not given (${error.message}). You can try again.`;
      button.disabled = false;
    }
  };

  /** For the snippet: the person carries the answer. */
  function show(answer) {
    words.textContent = 'Copy this answer and paste it where you began.';
    const text = element('textarea', '', 'display:block;width:100%;height:120px;margin:0 0 16px;font:12px monospace;');
    text.value = answer;
    text.readOnly = true;
    text.setAttribute('aria-label', 'The answer');
    button.textContent = 'Copy';
    button.disabled = false;
    button.onclick = () => {
      text.select();
      navigator.clipboard.writeText(answer).then(() => {
        button.textContent = 'Copied';
      });
    };
    cancel.textContent = 'Close';
    button.before(text);
  }

  document.documentElement.append(box);
  (problem === null ? button : cancel).focus();
}
