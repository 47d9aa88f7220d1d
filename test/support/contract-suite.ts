import { createTestDatabase, type TestDatabase, type TestEngine } from './test-database';
import { TestPlatform, type TestPlatformOptions } from './test-platform';

/** A platform on a separate database, for the tests of one `describe`. */
export function usePlatform(engine: TestEngine, options: TestPlatformOptions = {}): () => TestPlatform {
  let database: TestDatabase | undefined;
  let platform: TestPlatform | undefined;
  beforeAll(async () => {
    database = await createTestDatabase(engine);
    platform = await TestPlatform.start(database, options);
    await createNotes(platform);
  });
  afterAll(async () => {
    await platform?.stop();
    await database?.drop();
  });
  return () => platform as TestPlatform;
}

/** Creates the table of {@link Note}, and one whose rows must have a note when the transaction commits. */
async function createNotes(platform: TestPlatform): Promise<void> {
  const id =
    platform.database.engine === 'sqlite' ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'SERIAL PRIMARY KEY';
  await platform.transactions.run(async (tx) => {
    await tx.query(`CREATE TABLE note (id ${id}, text TEXT NOT NULL UNIQUE, picture ${blobType(tx.engine)})`);
    await tx.query(
      'CREATE TABLE remark (note_id INTEGER NOT NULL REFERENCES note (id) DEFERRABLE INITIALLY DEFERRED)',
    );
  });
}

function blobType(engine: 'sqlite' | 'postgres'): string {
  return engine === 'sqlite' ? 'BLOB' : 'BYTEA';
}

/** Texts of all committed notes, in the order in which they were written. */
export async function notes(platform: TestPlatform): Promise<string[]> {
  const rows = await platform.database.read.query<{ text: string }>('SELECT text FROM note ORDER BY id');
  return rows.map((row) => row.text);
}

/** A promise and the function that fulfills it, to hold work open. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
