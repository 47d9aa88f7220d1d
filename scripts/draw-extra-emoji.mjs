/**
 * Draws the extra emoji, which is neither in Unicode nor custom (a speech bubble), and writes it as a PNG in base64 to
 * `src/features/emoji/extra-emoji.json`. Run as `node scripts/draw-extra-emoji.mjs` after a change here.
 */
import { writeFileSync } from 'node:fs';
import sharp from 'sharp';

const drawing = `
<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">
  <path fill="#2d6cdf" d="M14 6h36a10 10 0 0 1 10 10v22a10 10 0 0 1-10 10H32L18 60V48h-4A10 10 0 0 1 4 38V16A10 10 0 0 1 14 6z"/>
  <g fill="#fff"><circle cx="20" cy="27" r="4"/><circle cx="32" cy="27" r="4"/><circle cx="44" cy="27" r="4"/></g>
</svg>`;

const png = await sharp(Buffer.from(drawing))
  .png({ palette: true, colours: 16, compressionLevel: 9 })
  .toBuffer();
const target = new URL('../src/features/emoji/extra-emoji.json', import.meta.url);
writeFileSync(target, `${JSON.stringify({ png: png.toString('base64') }, null, 2)}\n`);
