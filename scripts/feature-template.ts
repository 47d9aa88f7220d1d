/** The names of a new feature, from which all others are derived. */
export interface FeatureNames {
  /** Folder and path, such as `meeting-rooms`. */
  readonly feature: string;
  /** Singular of the feature's objects, such as `meeting-room`. */
  readonly one: string;
  /** Number of the migration. */
  readonly migration: number;
}

/** `meeting-room` as `MeetingRoom`. */
export function inPascalCase(name: string): string {
  return inCamelCase(`-${name}`);
}

/** `meeting-room` as `meetingRoom`. */
function inCamelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `meeting-room` as `meeting_room`. */
function inSnakeCase(name: string): string {
  return name.replaceAll('-', '_');
}

/** TypeORM takes a migration's time from the end of its name. */
function migrationClass({ feature, migration }: FeatureNames): string {
  return `${inPascalCase(feature)}${1_700_000_000_000 + migration}`;
}

/** Path of the migration, without `.ts`. */
function migrationFile({ feature, migration }: FeatureNames): string {
  return `${String(migration).padStart(4, '0')}-${feature}.migration`;
}

/**
 * The files of a feature with named things: everyone lists and adds them, administrators remove them. A starting point
 * to edit.
 */
export function filesOfFeature(names: FeatureNames): Record<string, string> {
  const { feature, one } = names;
  const folder = `src/features/${feature}`;
  const [Feature, One] = [inPascalCase(feature), inPascalCase(one)];
  const [features, table] = [inSnakeCase(feature), inSnakeCase(one)];
  const [service, wire] = [inCamelCase(feature), `${inCamelCase(one)}Wire`];
  const words = one.replaceAll('-', ' ');
  return {
    [`${folder}/${feature}.module.ts`]: `
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../../platform/database/database.options';
import { ${One} } from './${one}.entity';
import { ${Feature}Controller } from './${feature}.controller';
import { ${Feature}Service } from './${feature}.service';
import { ${migrationClass(names)} } from './${migrationFile(names)}';

/** Each ${words} of the organization. */
@Migrations(${migrationClass(names)})
@Module({
  imports: [TypeOrmModule.forFeature([${One}])],
  controllers: [${Feature}Controller],
  providers: [${Feature}Service],
})
export class ${Feature}Module {}
`,
    [`${folder}/${one}.entity.ts`]: `
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** One ${words}. Later ones have greater IDs. */
@Entity('${table}')
export class ${One} {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Its display name. */
  @Column('text')
  name!: string;
}
`,
    [`${folder}/${feature}.api.ts`]: `
import { refusal } from '../../platform/errors/api-error';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import type { ${One} } from './${one}.entity';

const MAX_NAME_LENGTH = 60;

/** Parameters of \`POST /${features}\`. */
export class Add${One}Dto {
  /** Display name. */
  @Parameter(text({ trim: true, maxLength: MAX_NAME_LENGTH })) name!: string;
}

/** Parameters of \`DELETE /${features}/{${table}_id}\`. */
export class Remove${One}Dto {
  /** ID of the ${words}. */
  @PathParameter() ${table}_id!: number;
}

/** One ${words} as clients see it. */
export interface ${One}Wire {
  readonly id: number;
  readonly name: string;
}

/** The record of one ${words} on the wire. */
export function ${wire}({ id, name }: ${One}): ${One}Wire {
  return { id, name };
}

/** No ${words} has the given ID. */
export class ${One}NotFound extends refusal('Invalid ${words} ID') {}
`,
    [`${folder}/${feature}.service.ts`]: `
import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.service';
import { TransactionService } from '../../platform/database/transaction.service';
import { ${One} } from './${one}.entity';
import { ${One}NotFound, ${wire}, type ${One}Wire } from './${feature}.api';

/** Keeps each ${words} of the organization. */
@Injectable()
export class ${Feature}Service {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
  ) {}

  /** All of them, oldest first. */
  async list(): Promise<${One}Wire[]> {
    const rows = await this.database.read.repository(${One}).find({ order: { id: 'ASC' } });
    return rows.map(${wire});
  }

  /** @returns the ID of the new one */
  add(name: string): Promise<number> {
    return this.transactions.run(async (tx) => {
      const { id } = await tx.repository(${One}).save({ name });
      return id;
    });
  }

  /** @throws ${One}NotFound */
  remove(id: number): Promise<void> {
    return this.transactions.run(async (tx) => {
      if (!(await tx.repository(${One}).existsBy({ id }))) throw new ${One}NotFound();
      await tx.repository(${One}).delete({ id });
    });
  }
}
`,
    [`${folder}/${feature}.controller.ts`]: `
import { Controller, Delete, Get, Post } from '@nestjs/common';
import { AdministratorOnly, NeedsScope } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { Add${One}Dto, Remove${One}Dto, type ${One}Wire } from './${feature}.api';
import { ${Feature}Service } from './${feature}.service';

/** Each ${words} of the organization. */
@Controller('api/v1/${features}')
@NeedsScope('read', 'administer')
export class ${Feature}Controller {
  constructor(private readonly ${service}: ${Feature}Service) {}

  /** Lists each ${words}, oldest first. */
  @Get()
  async list(): Promise<{ ${features}: ${One}Wire[] }> {
    return { ${features}: await this.${service}.list() };
  }

  /** Adds one ${words}. */
  @Post()
  async add(@Parameters() dto: Add${One}Dto): Promise<{ id: number }> {
    return { id: await this.${service}.add(dto.name) };
  }

  /** Removes one ${words}. */
  @Delete(':${table}_id(\\\\d+)')
  @AdministratorOnly()
  remove(@Parameters() dto: Remove${One}Dto): Promise<void> {
    return this.${service}.remove(dto.${table}_id);
  }
}
`,
    [`${folder}/${migrationFile(names)}.ts`]: `
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, table } from '../../platform/database/migrations/table-columns';

/** A table for each ${words}. */
export class ${migrationClass(names)} implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(table('${table}', [idColumn(), columns('text', 'name')]));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('${table}');
  }
}
`,
    [`test/api/${feature}.test.ts`]: `
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

describe('One ${words}', () => {
  it('is added by everybody, and removed by administrators', async () => {
    const { adam, mia } = app.cast;
    const list = async () => expectSuccess(await app.as(mia).get('/${features}')).${features};
    const { id } = expectSuccess(await app.as(mia).post('/${features}', { name: ' first ' }));
    await expect(list()).resolves.toEqual([{ id, name: 'first' }]);
    const code = 'UNAUTHORIZED_PRINCIPAL';
    expectError(await app.as(mia).delete(\`/${features}/\${id}\`), 'Must be an organization administrator', { code });
    expectSuccess(await app.as(adam).delete(\`/${features}/\${id}\`));
    await expect(list()).resolves.toEqual([]);
    expectError(await app.as(adam).delete(\`/${features}/\${id}\`), 'Invalid ${words} ID');
  });

  it('has a name', async () => {
    const { body } = await app.as(app.cast.mia).post('/${features}');
    expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'name' });
  });
});
`,
  };
}
