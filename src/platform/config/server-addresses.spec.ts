import { postgresAddresses } from './server-addresses';

describe('the address of PostgreSQL', () => {
  it.each([
    ['postgres://ada:pw@db/parley', ['postgres://ada:pw@db/parley']],
    ['postgresql://localhost', ['postgresql://localhost']],
    ['postgres:///parley?host=/run/postgresql', ['postgres:///parley?host=%2Frun%2Fpostgresql']],
    [
      'postgres://ada:p%40w@one,two:5433,[::1]:5434/parley?target_session_attrs=read-write&sslmode=require',
      [
        'postgres://ada:p%40w@one/parley?sslmode=require',
        'postgres://ada:p%40w@two:5433/parley?sslmode=require',
        'postgres://ada:p%40w@[::1]:5434/parley?sslmode=require',
      ],
    ],
  ])('%s names its servers', (given, addresses) => {
    expect(postgresAddresses(given)).toEqual(addresses);
  });

  it.each([
    'mysql://db/parley',
    'postgres://one:54x,two/parley',
    'postgres://one,two:99999/parley',
    'postgres://one two/parley',
    'postgres://one,two/parley?target_session_attrs=standby',
  ])('%s is none', (given) => {
    expect(postgresAddresses(given)).toBeNull();
  });
});
