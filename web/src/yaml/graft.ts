export function graft(): void {}
