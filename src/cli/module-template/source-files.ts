/** The code of a new module and its test, as a starting point to edit. */
export function sourceFiles(name: string, one: string): Record<string, string> {
  const [Names, One] = [inPascalCase(name), inPascalCase(one)];
  return {
    'src/index.ts': `
import { defineModule } from 'parley/module';
import { migrations } from './migrations';
import { ${Names}Module } from './${name}.module';

export default defineModule({
  name: '${name}',
  about: 'Keeps ${name} by name.',
  module: ${Names}Module,
  migrations,
});
`,
    [`src/${name}.module.ts`]: `
import { Module, TypeOrmModule } from 'parley/module';
import { ${One} } from './${one}.entity';
import { ${Names}Controller } from './${name}.controller';
import { ${Names}Service } from './${name}.service';

@Module({
  imports: [TypeOrmModule.forFeature([${One}])],
  controllers: [${Names}Controller],
  providers: [${Names}Service],
})
export class ${Names}Module {}
`,
    [`src/${one}.entity.ts`]: `
import { Column, Entity, PrimaryGeneratedColumn } from 'parley/module';

/** One ${one}. The names of all tables begin with "module_${name}_". */
@Entity('module_${name}_${one}')
export class ${One} {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('text')
  name!: string;

  @Column('integer', { name: 'creator_id' })
  creatorId!: number;
}
`,
    'src/migrations.ts': `
import { columns, idColumn, table, type ModuleMigration } from 'parley/module';

/** Numbered 1, 2, 3. Never change a released one; add another instead. */
export const migrations: ModuleMigration[] = [
  {
    number: 1,
    name: '${name}',
    up: (tables) =>
      tables.createTable(
        table('module_${name}_${one}', [idColumn(), columns('text', 'name'), columns('integer', 'creator_id')]),
      ),
  },
];
`,
    [`src/${name}.events.ts`]: `
import { defineEvent } from 'parley/module';

/** One ${one} was added or removed. Clients see the type "module_${name}". */
export const ${one}Added = defineEvent<{ ${one}: ${One}Record }>('module_${name}', 'add');
export const ${one}Removed = defineEvent<{ ${one}_id: number }>('module_${name}', 'remove');

/** One ${one}, as sent to clients. */
export interface ${One}Record {
  readonly id: number;
  readonly name: string;
}
`,
    [`src/${name}.controller.ts`]: `
import {
  About,
  type Actor,
  AdministratorOnly,
  Controller,
  CurrentActor,
  Delete,
  Get,
  Parameter,
  Parameters,
  PathParameter,
  Post,
  text,
} from 'parley/module';
import { ${Names}Service } from './${name}.service';
import type { ${One}Record } from './${name}.events';

class Add${One}Dto {
  @About('What people call it.')
  @Parameter(text({ trim: true, notBlank: true, maxLength: 60 }))
  name!: string;
}

class Remove${One}Dto {
  @About('ID of the ${one}.')
  @PathParameter()
  id!: number;
}

/** All routes are below /api/v1/modules/${name}. */
@Controller()
export class ${Names}Controller {
  constructor(private readonly ${name}: ${Names}Service) {}

  @About('Lists ${name}, the oldest first.')
  @Get()
  async list(): Promise<{ ${name}: ${One}Record[] }> {
    return { ${name}: await this.${name}.list() };
  }

  @About('Adds one ${one}.')
  @Post()
  async add(@CurrentActor() actor: Actor, @Parameters() { name }: Add${One}Dto): Promise<{ id: number }> {
    return { id: await this.${name}.add(actor, name) };
  }

  @About('Removes one ${one}.')
  @Delete(':id(\\\\d+)')
  @AdministratorOnly()
  remove(@Parameters() { id }: Remove${One}Dto): Promise<void> {
    return this.${name}.remove(id);
  }
}
`,
    [`src/${name}.service.ts`]: serviceFile(name, one, Names, One),
    [`test/${name}.test.ts`]: testFile(name, one),
  };
}

function serviceFile(name: string, one: string, Names: string, One: string): string {
  return `
import { type Actor, ApiError, Database, Injectable, Moments, People, type Queryable, Transactions } from 'parley/module';
import { ${One} } from './${one}.entity';
import { ${one}Added, ${one}Removed, type ${One}Record } from './${name}.events';

@Injectable()
export class ${Names}Service {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly people: People,
    moments: Moments,
  ) {
    moments.onRegister('module_${name}', (db) => all(db));
  }

  list(): Promise<${One}Record[]> {
    return all(this.database.read);
  }

  add({ userId }: Actor, name: string): Promise<number> {
    return this.transactions.run(async (tx) => {
      const { id } = await tx.repository(${One}).save({ name, creatorId: userId });
      tx.emit(${one}Added({ ${one}: { id, name } }), this.people.everybody());
      return id;
    });
  }

  remove(id: number): Promise<void> {
    return this.transactions.run(async (tx) => {
      const { affected } = await tx.repository(${One}).delete({ id });
      if (!affected) throw new ApiError('Invalid ${one} ID');
      tx.emit(${one}Removed({ ${one}_id: id }), this.people.everybody());
    });
  }
}

async function all(db: Queryable): Promise<${One}Record[]> {
  const rows = await db.repository(${One}).find({ order: { id: 'ASC' } });
  return rows.map(({ id, name }) => ({ id, name }));
}
`;
}

function testFile(name: string, one: string): string {
  return `
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { ACCOUNTS, type Parley, startParley } from 'parley/testing';

const PATH = '/modules/${name}';
let parley: Parley;
before(async () => (parley = await startParley({ modules: [join(__dirname, '../..')] })));
beforeEach(() => parley.reset());
after(() => parley.stop());

test('people add, administrators remove, and clients hear of both', async () => {
  const [alice, adam] = [parley.as('alice'), parley.as('adam')];
  const { queue_id, last_event_id, module_${name}: before } = await alice.post('/register');
  assert.deepEqual(before, []);
  const { id } = await alice.post(PATH, { name: ' first ' });
  assert.deepEqual((await alice.get(PATH))['${name}'], [{ id, name: 'first' }]);
  await assert.rejects(alice.delete(\`\${PATH}/\${id}\`), /Must be an organization administrator/);
  await adam.delete(\`\${PATH}/\${id}\`);
  await assert.rejects(adam.delete(\`\${PATH}/\${id}\`), /Invalid ${one} ID/);
  const { events } = await alice.get('/events', { queue_id, last_event_id, dont_block: true });
  assert.deepEqual(
    (events as { type: string; op: string }[]).map(({ type, op }) => [type, op]),
    [['module_${name}', 'add'], ['module_${name}', 'remove']],
  );
});

test('people of each role may do what they should, and no more', async () => {
  const prepare = () => parley.as('alice').post(PATH, { name: 'first' });
  await parley.expectPermissions([
    { request: \`GET \${PATH}\`, allowed: ACCOUNTS },
    { request: \`POST \${PATH}\`, parameters: { name: 'first' }, allowed: ACCOUNTS },
    { request: \`DELETE \${PATH}/{id}\`, prepare, allowed: ['administrator', 'owner'] },
  ]);
});

test('a ${one} has a name', async () => {
  await assert.rejects(parley.as('alice').post(PATH), /Missing 'name' argument/);
});
`;
}

function inPascalCase(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
