// What an application does with one provider's entry point; `window.report` has what is wrong with a Shoot.

import { complaints } from "./complaints.js";

declare global {
  interface Window {
    report: Promise<string[]>;
  }
}

const networks = { vpc: { cidr: "10.250.0.0/16" }, zones: [{ name: "eu-central-1a", workers: "10.250.0.1/19" }] };
const apiVersion = "alicloud.provider.extensions.gardener.cloud/v1alpha1";
const infrastructureConfig = { apiVersion, kind: "InfrastructureConfig", networks };
const provider = { type: "alicloud", infrastructureConfig, workers: [{ name: "worker" }] };
const networking = { nodes: "10.250.0.0/16", pods: "10.96.0.0/11", services: "192.168.0.0/17" };

window.report = complaints({ apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", spec: { provider, networking } });
