import { create } from 'qrcode';
import { useMemo } from 'react';
import { t } from '../../../language/language.ts';

/** Empty modules around the code, as its standard wants. */
const margin = 4;

/** A secret as a QR code for an authenticator app. It is drawn here, so it goes nowhere. */
export default function TotpQr({ uri }: { readonly uri: string }) {
  const { size, path } = useMemo(() => drawingOf(uri), [uri]);
  return (
    <svg
      viewBox={`${-margin} ${-margin} ${size + 2 * margin} ${size + 2 * margin}`}
      width={220}
      height={220}
      shapeRendering="crispEdges"
      role="img"
      aria-label={t('QR code for the authenticator app')}
    >
      {/* Dark on light in both colour schemes: most apps read nothing else. */}
      <rect x={-margin} y={-margin} width="100%" height="100%" rx={1} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function drawingOf(text: string): { readonly size: number; readonly path: string } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size } = modules;
  let path = '';
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) if (modules.get(row, column)) path += `M${column} ${row}h1v1h-1z`;
  }
  return { size, path };
}
