package crds

import (
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

type schemas = map[string]apiextensions.JSONSchemaProps

// What every spec has, and `further` fields of the kind.
func spec(further schemas, required ...string) apiextensions.JSONSchemaProps {
	class := text()
	class.Enum = []apiextensions.JSON{{Raw: []byte(`"garden"`)}, {Raw: []byte(`"seed"`)}, {Raw: []byte(`"shoot"`)}}
	class.XValidations = apiextensions.ValidationRules{{Rule: "self == oldSelf", Message: "Value is immutable"}}
	fields := schemas{
		"type":           text(),
		"class":          class,
		"providerConfig": anyObject(),
		"region":         text(),
		"secretRef":      object(schemas{"name": text(), "namespace": text()}),
	}
	for name, schema := range further {
		fields[name] = schema
	}
	return object(fields, append(required, "type", "region", "secretRef")...)
}

// What every status has, and `further` fields of the kind.
func status(further schemas) *apiextensions.JSONSchemaProps {
	fields := schemas{
		"observedGeneration": integer("int64"),
		"providerStatus":     anyObject(),
		"state":              anyObject(),
		"lastOperation": object(schemas{
			"description":    text(),
			"lastUpdateTime": instant(),
			"progress":       integer("int32"),
			"state":          text(),
			"type":           text(),
		}, "description", "lastUpdateTime", "progress", "state", "type"),
		"lastError": object(schemas{
			"description":    text(),
			"taskID":         text(),
			"codes":          list(text()),
			"lastUpdateTime": instant(),
		}, "description"),
		"conditions": list(object(schemas{
			"type":               text(),
			"status":             text(),
			"lastTransitionTime": instant(),
			"lastUpdateTime":     instant(),
			"reason":             text(),
			"message":            text(),
			"codes":              list(text()),
		}, "type", "status", "lastTransitionTime", "lastUpdateTime", "reason", "message")),
		"resources": list(object(schemas{
			"name":        text(),
			"resourceRef": object(schemas{"apiVersion": text(), "kind": text(), "name": text()}, "kind", "name"),
		}, "name", "resourceRef")),
	}
	for name, schema := range further {
		fields[name] = schema
	}
	all := object(fields)
	return &all
}

// A pool of a Worker: the fields that every pool has are checked, all others are kept.
func pool() apiextensions.JSONSchemaProps {
	either := apiextensions.JSONSchemaProps{XIntOrString: true}
	schema := object(schemas{
		"name":           text(),
		"machineType":    text(),
		"machineImage":   object(schemas{"name": text(), "version": text()}, "name", "version"),
		"minimum":        integer("int32"),
		"maximum":        integer("int32"),
		"maxSurge":       either,
		"maxUnavailable": either,
		"zones":          list(text()),
	}, "name", "machineType", "machineImage", "minimum", "maximum", "maxSurge", "maxUnavailable")
	schema.XPreserveUnknownFields = ptr(true)
	return schema
}

func object(properties schemas, required ...string) apiextensions.JSONSchemaProps {
	return apiextensions.JSONSchemaProps{Type: "object", Properties: properties, Required: required}
}

// An object whose fields the API server does not know, such as `providerConfig`.
func anyObject() apiextensions.JSONSchemaProps {
	return apiextensions.JSONSchemaProps{Type: "object", XPreserveUnknownFields: ptr(true)}
}

func mapOf(values apiextensions.JSONSchemaProps) apiextensions.JSONSchemaProps {
	return apiextensions.JSONSchemaProps{
		Type:                 "object",
		AdditionalProperties: &apiextensions.JSONSchemaPropsOrBool{Allows: true, Schema: &values},
	}
}

func list(items apiextensions.JSONSchemaProps) apiextensions.JSONSchemaProps {
	return apiextensions.JSONSchemaProps{Type: "array", Items: &apiextensions.JSONSchemaPropsOrArray{Schema: &items}}
}

func text() apiextensions.JSONSchemaProps { return apiextensions.JSONSchemaProps{Type: "string"} }

func bytes() apiextensions.JSONSchemaProps {
	return apiextensions.JSONSchemaProps{Type: "string", Format: "byte"}
}

func instant() apiextensions.JSONSchemaProps {
	return apiextensions.JSONSchemaProps{Type: "string", Format: "date-time"}
}

func integer(format string) apiextensions.JSONSchemaProps {
	return apiextensions.JSONSchemaProps{Type: "integer", Format: format}
}

func ptr[T any](value T) *T { return &value }
