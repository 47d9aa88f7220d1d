/** TypeORM's command line prints statements without colors. */
exports.highlight = (sql) => sql;
