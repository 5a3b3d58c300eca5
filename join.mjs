import sharp from "sharp";
const [out, h, ...files] = process.argv.slice(2);
const height = Number(h);
const parts = [];
let left = 0;
for (const f of files) {
  const img = sharp(f);
  const meta = await img.metadata();
  const scale =
    meta.width > 1300 ? 1000 / meta.width : meta.width > 800 ? 0.62 : meta.width > 400 ? 0.7 : 0.85;
  const w = Math.round(meta.width * scale);
  const buf = await img
    .resize({ width: w })
    .extract({
      left: 0,
      top: 0,
      width: w,
      height: Math.min(height, Math.round(meta.height * scale)),
    })
    .toBuffer();
  parts.push({ input: buf, left, top: 0 });
  left += w + 12;
}
await sharp({ create: { width: left, height, channels: 3, background: "#888" } })
  .composite(parts)
  .png()
  .toFile(out);
