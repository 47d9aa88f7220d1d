/** Lint rules of our own, for what no published rule can know. */

/**
 * `.emit(` on a transaction writes an event row, and `.publish(` tells one that is not kept; only services may, so that
 * every event has one place to look for.
 */
const emitInServicesOnly = {
  meta: {
    type: 'problem',
    docs: { description: 'Services alone tell events.' },
    messages: { elsewhere: 'Emit events in a *.service.ts file only.' },
    schema: [],
  },
  create(context) {
    const { getTypeAtLocation } = context.sourceCode.parserServices;
    return {
      'CallExpression > MemberExpression.callee[property.name=/^(emit|publish)$/]'(callee) {
        const type = { emit: 'Transaction', publish: 'TransientEvents' }[callee.property.name];
        if (getTypeAtLocation(callee.object).symbol?.name !== type) return;
        context.report({ node: callee, messageId: 'elsewhere' });
      },
    };
  },
};

export default { rules: { 'emit-in-services-only': emitInServicesOnly } };
