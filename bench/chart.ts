/** A line of a chart. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** A plot with its own axes. */
export interface Panel {
  readonly title: string;
  readonly series: readonly Series[];
}

const COLORS = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#e69f00',
  '#7f7f7f',
  '#882255',
  '#117733',
  '#332288',
  '#000000',
  '#aa4499',
  '#999933',
];
const [WIDTH, HEIGHT, LEFT, TOP, LEGEND_LINE] = [300, 240, 56, 34, 17];
const FONT = 'font-family="sans-serif" font-size="12" fill="#333"';

/**
 * Plots lines with logarithmic axes, panels side by side with one legend: a flat line shows no dependence, and a
 * proportional one rises as much as it goes to the right.
 * @param unit of the vertical axis
 */
export function lineChart(panels: readonly Panel[], unit: string): string {
  const names = [...new Set(panels.flatMap(({ series }) => series.map(({ name }) => name)))];
  const all = panels.flatMap(({ series }) => series.flatMap(({ points }) => points.map(([, y]) => y)));
  const [low, high] = decades(all);
  const width = panels.length * (WIDTH + LEFT) + 44;
  const columns = Math.floor(width / 280);
  const height = TOP + HEIGHT + 50 + Math.ceil(names.length / columns) * LEGEND_LINE;
  const color = (name: string) => COLORS[names.indexOf(name) % COLORS.length] as string;
  const drawn = panels.map((panel, at) => drawPanel(panel, LEFT + at * (WIDTH + LEFT), low, high, color));
  const legend = names.map((name, at) => {
    const x = LEFT + (at % columns) * 280;
    const y = TOP + HEIGHT + 48 + Math.floor(at / columns) * LEGEND_LINE;
    return `<path d="M${x} ${y - 4}h18" stroke="${color(name)}" stroke-width="2"/>${text(x + 24, y, name)}`;
  });
  return svg(width, height, [text(4, 14, unit), ...drawn, ...legend]);
}

/** A measured value and its goal. */
export interface Measured {
  readonly name: string;
  readonly value: number;
  readonly goal: number;
}

/** A bar for each value, as a multiple of its goal; all goals are on one line. */
export function goalChart(figures: readonly Measured[]): string {
  const [line, nameWidth, barWidth, most] = [24, 270, 420, 3];
  const unit = barWidth / most;
  const bars = figures.map(({ name, value, goal }, at) => {
    const y = 34 + at * line;
    const multiple = value / goal;
    const width = Math.min(multiple, most) * unit;
    const fill = multiple <= 1 ? COLORS[0] : COLORS[1];
    const bar = `<rect x="${nameWidth}" y="${y}" width="${width.toFixed(1)}" height="14" fill="${fill}"/>`;
    return text(8, y + 12, name) + bar + text(nameWidth + width + 8, y + 12, multiple.toFixed(2));
  });
  const height = 44 + figures.length * line;
  const goalLine = `<path d="M${nameWidth + unit} 26V${height - 8}" stroke="#222" stroke-width="2"/>`;
  const title = text(8, 18, 'What was measured, as a multiple of its goal');
  return svg(nameWidth + barWidth + 60, height, [title, ...bars, goalLine]);
}

function drawPanel(
  { title, series }: Panel,
  left: number,
  low: number,
  high: number,
  color: (name: string) => string,
): string {
  const [from, to] = decades(series.flatMap(({ points }) => points.map(([x]) => x)));
  const across = (x: number) => left + ((Math.log10(x) - from) / (to - from)) * WIDTH;
  const up = (y: number) => TOP + HEIGHT - ((Math.log10(y) - low) / (high - low)) * HEIGHT;
  const grid: string[] = [];
  for (let power = low; power <= high; power++) {
    grid.push(`<path d="M${left} ${up(10 ** power).toFixed(1)}h${WIDTH}" stroke="#ddd"/>`);
    grid.push(text(left - 8, up(10 ** power) + 4, (10 ** power).toLocaleString('en'), 'end'));
  }
  for (let power = from; power <= to; power++) {
    grid.push(text(across(10 ** power), TOP + HEIGHT + 16, (10 ** power).toLocaleString('en'), 'middle'));
  }
  const lines = series.map(({ name, points }) => {
    const path = points.map(([x, y]) => `${across(x).toFixed(1)},${up(y).toFixed(1)}`).join(' ');
    return `<polyline points="${path}" fill="none" stroke="${color(name)}" stroke-width="2"/>`;
  });
  return [...grid, ...lines, text(left + WIDTH / 2, TOP - 8, title, 'middle')].join('\n');
}

/** The powers of ten that enclose the numbers. */
function decades(numbers: readonly number[]): [low: number, high: number] {
  const logarithms = numbers.map((number) => Math.log10(number));
  const low = Math.floor(Math.min(...logarithms) + 1e-9);
  return [low, Math.max(low + 1, Math.ceil(Math.max(...logarithms) - 1e-9))];
}

function text(x: number, y: number, words: string, anchor = 'start'): string {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" ${FONT}>${escaped}</text>`;
}

function svg(width: number, height: number, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...parts,
    '</svg>\n',
  ].join('\n');
}
