import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

// Draws the sample files that the examples send (samples/), which are the project's own work under its licence. They are kept in the
// repository, so this runs only when one of them is to look different: node scripts/samples.ts. It needs ffmpeg.
const folder = join(import.meta.dirname, '..', 'samples');
mkdirSync(folder, { recursive: true });
const at = (name: string) => join(folder, name);
const ffmpeg = (...words: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-y', ...words], { stdio: ['ignore', 'inherit', 'inherit'] });

const hills = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="854" viewBox="0 0 1280 854">
  <defs>
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#2b6cb0"/><stop offset=".6" stop-color="#f6ad55"/><stop offset="1" stop-color="#fbd38d"/></linearGradient>
    <linearGradient id="lake" x2="0" y2="1"><stop stop-color="#dd9b5b"/><stop offset="1" stop-color="#2c5282"/></linearGradient>
  </defs>
  <rect width="1280" height="854" fill="url(#sky)"/>
  <circle cx="880" cy="410" r="74" fill="#fffaf0"/>
  <path d="M0 470 180 300 330 430 520 230 760 470 930 350 1280 520V600H0z" fill="#4a5568"/>
  <path d="M520 230 585 295 540 300 515 330 470 290z" fill="#edf2f7"/>
  <path d="M0 540C220 470 420 560 640 530S1080 480 1280 560V640H0z" fill="#2f855a"/>
  <rect y="610" width="1280" height="244" fill="url(#lake)"/>
  <path d="M780 640h200l-30 8H810zM760 680h240l-40 8H800zM800 720h170l-30 8H830z" fill="#fffaf0" opacity=".7"/>
  <path d="M0 612C300 596 500 628 760 610S1150 600 1280 616V632H0z" fill="#276749"/>
  <g fill="#1a4731"><path d="M120 620l34-120 34 120zM190 626l26-90 26 90zM1060 622l30-110 30 110zM1130 626l40-140 40 140z"/></g>
</svg>`;
const parcel = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="700" viewBox="0 0 900 700">
  <rect width="900" height="700" fill="#e6fffa"/><ellipse cx="450" cy="590" rx="300" ry="36" fill="#b2d8d0"/>
  <path d="M200 260 450 180 700 260V540L450 620 200 540z" fill="#c68642"/><path d="M450 340 700 260V540L450 620z" fill="#a86b2d"/>
  <path d="M200 260 450 340 700 260 450 180z" fill="#dba463"/><path d="M315 223 565 303V393L525 406V316L275 236z" fill="#f0d9b5"/>
  <path d="M255 420l130 42v70l-130-42z" fill="#fff8ee"/><path d="M272 444l90 29M272 462l60 19M272 480l74 24" stroke="#7a5a34" stroke-width="6"/>
</svg>`;
const thumb = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">
  <g stroke="#fff" stroke-width="22" stroke-linejoin="round" paint-order="stroke">
    <path d="M96 236h76v196H96z" fill="#2b6cb0"/>
    <path d="M188 236c44-24 66-70 68-128 1-22 20-34 40-30 34 7 44 44 36 84l-12 58h86c28 0 42 30 28 52 14 12 14 34-2 46 8 16 2 36-14 44 4 26-12 46-42 46H244c-24 0-40-8-56-18z" fill="#f6c344"/>
  </g>
</svg>`;
const mascot = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600" viewBox="0 0 600 600">
  <path d="M300 60c130 0 220 92 220 214 0 118-84 206-206 214l-104 62 18-78C130 452 80 372 80 274 80 152 170 60 300 60z" fill="#38b2ac" stroke="#fff" stroke-width="20"/>
  <circle cx="222" cy="256" r="34" fill="#fff"/><circle cx="378" cy="256" r="34" fill="#fff"/><circle cx="230" cy="262" r="16" fill="#1a202c"/><circle cx="370" cy="262" r="16" fill="#1a202c"/>
  <path d="M214 342c40 56 132 56 172 0" fill="none" stroke="#1a202c" stroke-width="18" stroke-linecap="round"/>
</svg>`;

await sharp(Buffer.from(hills)).jpeg({ quality: 82, mozjpeg: true }).toFile(at('photo.jpg'));
await sharp(Buffer.from(parcel)).png({ palette: true }).toFile(at('parcel.png'));
await sharp(Buffer.from(thumb)).webp({ quality: 85 }).toFile(at('thumbs-up.webp'));
await sharp(Buffer.from(mascot)).png({ palette: true }).toFile(at('mascot.png'));

// A slow pan over the picture, with a melody.
const notes = [523.25, 659.25, 783.99, 659.25, 587.33, 698.46, 880, 1046.5];
const melody = (seconds: number) =>
  `aevalsrc='0.3*sin(2*PI*t*(${notes.map((hertz, index) => `${hertz}*eq(mod(floor(t/0.5),${notes.length}),${index})`).join('+')}))*exp(-3*mod(t,0.5))':s=48000:d=${seconds}`;
const bare = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'];
ffmpeg(
  '-loop',
  '1',
  '-i',
  at('photo.jpg'),
  '-f',
  'lavfi',
  '-i',
  melody(6),
  '-t',
  '6',
  '-vf',
  "scale=960:-2,crop=640:360:x='(iw-640)*t/6':y=120,format=yuv420p",
  '-r',
  '24',
  '-c:v',
  'libx264',
  '-preset',
  'veryslow',
  '-crf',
  '27',
  '-c:a',
  'aac',
  '-b:a',
  '64k',
  '-movflags',
  '+faststart',
  ...bare,
  at('tour.mp4'),
);
ffmpeg('-f', 'lavfi', '-i', melody(6), '-ac', '1', '-c:a', 'libopus', '-b:a', '32k', ...bare, at('greeting.ogg'));
ffmpeg('-f', 'lavfi', '-i', melody(4), '-ac', '1', '-c:a', 'libmp3lame', '-b:a', '48k', ...bare, at('reminder.mp3'));

writeFileSync(
  at('price-list.pdf'),
  pdf('Price list', [
    'Coffee, 250 g            8.90',
    'Tea, 100 g               6.50',
    'Cake, whole             24.00',
    'Delivery                 3.00',
  ]),
);
writeFileSync(
  at('invoice.pdf'),
  pdf('Invoice 1042', [
    '2 x Coffee, 250 g       17.80',
    '1 x Delivery             3.00',
    '',
    'Total                   20.80',
    '',
    'Thank you for your order.',
  ]),
);

/** A page with a title and lines of text. */
function pdf(title: string, lines: readonly string[]): string {
  const text = lines.map((line, index) => `BT /F2 14 Tf 72 ${640 - index * 28} Td (${line}) Tj ET`).join('\n');
  const content = `BT /F1 28 Tf 72 720 Td (${title}) Tj ET\n0.2 0.5 0.5 RG 2 w 72 700 m 523 700 l S\n${text}`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>/Contents 4 0 R>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
  ];
  let out = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = out.length;
    out += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  return `${out}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${out.length}\n%%EOF\n`;
}
