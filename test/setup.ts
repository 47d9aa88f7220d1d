import 'reflect-metadata';

/** Tests make databases and folders of their own: whatever the environment names for a real server is out of their reach. */
for (const name of ['DATABASE_URL', 'REDIS_URL', 'DATA_DIR']) delete process.env[name];
