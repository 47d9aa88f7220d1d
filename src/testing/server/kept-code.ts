import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Image, LoadedCode } from './loaded-code';
import { KEPT_FOLDER, PROGRAM, stateOfProgram, tidyKept, writeKept } from './program-state';

/** What is found before the code: of which program it is, and how long each part is. */
interface KeptHead {
  readonly state: string;
  readonly sourceBytes: number;
  /** 0 until the second start, which is the first to run this text. */
  readonly compiledBytes: number;
  readonly files: Image['files'];
  readonly ways: Image['ways'];
}

/** Of the number before the head. */
const LENGTH_BYTES = 4;

/**
 * Keeps the text of the program with its packages as one script, what V8 made of it, and where each file found the others,
 * so that later starts read one file instead of a thousand. The first start keeps the text, the second what V8 made of it.
 * @returns keeps it, once everything is loaded
 */
export function useKeptCode(folder = KEPT_FOLDER): () => void {
  const state = stateOfFiles();
  if (state === null) return () => undefined;
  const version = `${PROGRAM} ${process.version} ${process.arch}`;
  const name = createHash('sha256').update(version).digest('hex').slice(0, 24);
  const place = join(folder, `${name}.code`);
  const code = LoadedCode.begin(read(place, state));
  return () => {
    const image = code.imageToKeep();
    if (image) keep(folder, place, state, image);
  };
}

/** Changes with the program and with its packages; null where that cannot be told. */
function stateOfFiles(): string | null {
  for (let folder = PROGRAM; folder !== dirname(folder); folder = dirname(folder)) {
    // npm writes it with every change.
    const file = join(folder, 'node_modules/.package-lock.json');
    const packages = statSync(file, { throwIfNoEntry: false });
    if (packages) return `${stateOfProgram()} ${file} ${packages.mtimeMs} ${packages.size}`;
  }
  return null;
}

/** All in one file, so that no part ever goes with another's: the length of the head, the head, the text, what was compiled. */
function read(place: string, state: string): Image | null {
  try {
    const all = readFileSync(place);
    const begin = LENGTH_BYTES + all.readUInt32LE();
    const head = JSON.parse(all.toString('utf8', LENGTH_BYTES, begin)) as KeptHead;
    if (head.state !== state) return null;
    const end = begin + head.sourceBytes;
    const compiled = all.subarray(end, end + head.compiledBytes);
    return {
      files: head.files,
      ways: head.ways,
      source: all.toString('utf8', begin, end),
      compiled: head.compiledBytes === 0 ? null : compiled,
    };
  } catch {
    // The first start.
    return null;
  }
}

function keep(folder: string, place: string, state: string, { files, ways, source, compiled }: Image): void {
  const text = Buffer.from(source);
  const sizes = { sourceBytes: text.length, compiledBytes: compiled?.length ?? 0 };
  const head = Buffer.from(JSON.stringify({ state, ...sizes, files, ways } satisfies KeptHead));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  try {
    tidyKept(folder);
    const parts = [length, head, text, compiled ?? Buffer.alloc(0)];
    writeKept(place, (draft) => writeFileSync(draft, Buffer.concat(parts)));
  } catch {
    // Nothing is lost but time.
  }
}
