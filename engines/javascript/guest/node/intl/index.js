/** stub */
export function installIntl() {}
