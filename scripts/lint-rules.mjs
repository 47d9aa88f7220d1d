/** Lint rules of our own, for what no published rule can know. */

/** `.emit(` on a transaction writes an event row; only services may, so that every event has one place to look for. */
const emitInServicesOnly = {
  meta: {
    type: 'problem',
    docs: { description: 'Transactions emit events in services only.' },
    messages: { elsewhere: 'Emit events in a *.service.ts file only.' },
    schema: [],
  },
  create(context) {
    const { getTypeAtLocation } = context.sourceCode.parserServices;
    return {
      'CallExpression > MemberExpression.callee[property.name="emit"]'(callee) {
        if (getTypeAtLocation(callee.object).symbol?.name !== 'Transaction') return;
        context.report({ node: callee, messageId: 'elsewhere' });
      },
    };
  },
};

export default { rules: { 'emit-in-services-only': emitInServicesOnly } };
