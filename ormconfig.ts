import { DataSource } from 'typeorm';
import { tables } from './src/app.module';
import { loadConfig } from './src/platform/config/load-config';
import { postgresDataSource, sqliteDataSource } from './src/platform/database/data-source.options';
import { databaseOptions } from './src/platform/database/database.options';
import { loadSqliteDriver } from './src/platform/database/sqlite/sqlite-driver';

const options = databaseOptions(loadConfig(), tables);

/** For the TypeORM command line. Stop the server first when it runs on SQLite. */
export default new DataSource(
  options.engine === 'sqlite'
    ? sqliteDataSource(options, loadSqliteDriver(options.driver), 'write')
    : postgresDataSource(options, 'migrate'),
);
